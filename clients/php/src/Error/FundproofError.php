<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The parent of all errors of this library. */
class FundproofError extends \RuntimeException
{
    /** @return array<string, mixed> Without the arguments of calls, which may be secrets. */
    public function __serialize(): array
    {
        $all = (array) $this;
        foreach (array_keys($all["\0Exception\0trace"]) as $at) {
            unset($all["\0Exception\0trace"][$at]['args']);
        }
        return $all;
    }
}
