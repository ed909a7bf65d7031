"""Tests of the scores; scripts/trust/test runs them."""
