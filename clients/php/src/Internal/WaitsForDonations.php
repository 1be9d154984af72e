<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Fundproof\Error\TimeoutError;
use Fundproof\Model\Donation;
use Fundproof\RequestOptions;

/**
 * The methods of `donations` that are not operations of the interface.
 *
 * @internal
 */
trait WaitsForDonations
{
    /**
     * Reads a donation until it is no longer `pending` or `confirming`, and returns it. Also
     * returns a donation that failed or expired: look at `status`. After an error that may not
     * last, reads again.
     *
     * @param int|float $timeout Seconds for all together; by default 15 minutes.
     * @throws TimeoutError with the donation as it was read last
     */
    public function waitFor(
        string $id,
        int|float $timeout = 900,
        ?RequestOptions $options = null,
    ): Donation {
        return Waiter::wait(
            $this->sender->settings,
            fn (RequestOptions $look): Donation => $this->get($id, options: $look),
            Configuration::seconds($timeout, 'timeout', true),
            $options ?? new RequestOptions(),
        );
    }
}
