"""The methods of ``webhooks``, also those that send no request."""

from __future__ import annotations

from . import webhooks as receiver
from ._generated.resources import webhooks


class Webhooks(webhooks.Webhooks):
    """The methods of ``webhooks``. ``verify`` and ``sign`` are also in the module
    :mod:`fundproof.webhooks`, which needs no client."""

    verify = staticmethod(receiver.verify)
    sign = staticmethod(receiver.sign)


class AsyncWebhooks(webhooks.AsyncWebhooks):
    """The methods of ``webhooks``. ``verify`` and ``sign`` are also in the module
    :mod:`fundproof.webhooks`, which needs no client."""

    verify = staticmethod(receiver.verify)
    sign = staticmethod(receiver.sign)
