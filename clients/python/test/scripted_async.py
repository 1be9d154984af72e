"""The cases of the scripted server with the async client."""

from fundproof import AsyncFundproof
from scripted import main

main(AsyncFundproof)
