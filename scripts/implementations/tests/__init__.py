"""Tests of the implementations: python -m unittest, with expectations worked out by hand."""
