"""An account of MGATHER, MSCATTER, TSCATTER and TGATHERB in NumPy.

Written from the five documents alone. It shares nothing with the models and
the contract of ptodiff but the words of the protocol.
"""
