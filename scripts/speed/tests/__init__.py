"""Tests of what scripts/bench is made of; scripts/speed/test runs them."""
