<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Fundproof\Error\TimeoutError;
use Fundproof\Model\Donation;
use Fundproof\RequestOptions;

/**
 * The part of `donations` that is no operation of the interface.
 *
 * @internal
 */
trait WaitsForDonations
{
    /**
     * Reads a donation until it is no longer `pending` or `confirming`, and returns it. A bad end
     * is returned too: look at `status`. Failures that may end are waited out.
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
