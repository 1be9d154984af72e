<?php

// This file has no strict types, so PHP converts arguments.

use Fundproof\Model\Money;

return static fn (mixed $amount): Money => new Money($amount, 'USDC');
