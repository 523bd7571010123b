"""The rules of A Few Acres of Snow: pure values and functions; no clock, network, database, files, random."""
