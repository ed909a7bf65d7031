"""Tests of the subjects: python -m unittest, with expectations worked out by hand."""
