<?php

// A file without strict types, in which PHP converts arguments.

use Fundproof\Model\Money;

return static fn (mixed $amount): Money => new Money($amount, 'USDC');
