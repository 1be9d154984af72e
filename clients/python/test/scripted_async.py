"""The scenarios of the scripted server with the async client."""

from scripted import main

main("async")
