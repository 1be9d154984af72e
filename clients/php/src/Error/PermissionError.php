<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The caller may not do this (403). */
final class PermissionError extends ApiError
{
}
