"""The strict core: exact scores on a frozen protocol.  Standard library only, no I/O, no clock, no randomness."""
