"""Runs the cases of the faulty server with the async client."""

from fundproof import AsyncFundproof
from scripted import main

main(AsyncFundproof)
