<?php

declare(strict_types=1);

namespace Fundproof;

use Closure;
use Fundproof\Error\ConfigurationError;
use Fundproof\Internal\Configuration;
use Fundproof\Internal\Sender;
use Fundproof\Internal\Settings;
use Fundproof\Internal\TokenSession;
use Fundproof\Model\Tokens;
use Fundproof\Resource\Resources;
use Fundproof\Resource\Spec;
use Fundproof\Transport\CurlTransport;
use Fundproof\Transport\Transport;

/**
 * A client of the Fundproof interface. All times are in seconds.
 *
 *     $fundproof = new Client(apiKey: $key, baseUrl: 'https://fundproof.example');
 *     $campaign = $fundproof->campaigns->get($id);
 */
final class Client
{
    use Resources;

    /** The version of this library. */
    public const VERSION = Spec::VERSION;
    /** The version of the OpenAPI document from which this library was generated. */
    public const SPEC_VERSION = Spec::VERSION;

    private readonly Sender $sender;

    /**
     * @param string|null $apiKey Default: FUNDPROOF_API_KEY. A guest needs no key.
     * @param string|null $environment 'sandbox' or 'production'. Default: FUNDPROOF_ENVIRONMENT,
     *     or the environment of the key.
     * @param string|null $baseUrl The address of your service. Default: FUNDPROOF_BASE_URL.
     * @param int|float $timeout Seconds for each attempt, from connecting to the last byte.
     * @param int $maxRetries Further attempts after the first; 0 is none.
     * @param int|float $maxRetryAfter The longest wait, in seconds, that the service may ask for.
     * @param Transport|null $transport How requests are sent. Default: with ext-curl.
     * @param (Closure(array<string, mixed>): void)|null $onRequest Gets method, path and attempt.
     * @param (Closure(array<string, mixed>): void)|null $onResponse Gets status, requestId, ms.
     * @param (Closure(array<string, mixed>): void)|null $onRetry Gets also the wait in seconds.
     * @param TokenPair|Tokens|null $tokens A session, instead of a key. The client refreshes it.
     * @param (Closure(TokenPair): void)|null $onTokens Stores a new pair before it is used.
     * @param TokenStore|null $tokenStore Shares a session between processes. Without `tokens`
     *     the client starts with the stored tokens.
     * @param object|null $logger An object with the methods of PSR-3.
     * @param string|null $appInfo The name of your program, for the `User-Agent`.
     * @param bool $allowHttp Permits `http://` to other machines, which reveals the key on the way.
     * @throws ConfigurationError
     */
    public function __construct(
        #[\SensitiveParameter] ?string $apiKey = null,
        ?string $environment = null,
        ?string $baseUrl = null,
        int|float $timeout = 30,
        int $maxRetries = 2,
        int|float $maxRetryAfter = 60,
        ?Transport $transport = null,
        ?Closure $onRequest = null,
        ?Closure $onResponse = null,
        ?Closure $onRetry = null,
        #[\SensitiveParameter] TokenPair|Tokens|null $tokens = null,
        ?Closure $onTokens = null,
        ?TokenStore $tokenStore = null,
        ?object $logger = null,
        ?string $appInfo = null,
        bool $allowHttp = false,
    ) {
        $pair = $tokens instanceof Tokens ? TokenPair::from($tokens) : $tokens ?? $tokenStore?->load();
        if ($tokenStore !== null && $pair === null) {
            throw new ConfigurationError('The tokenStore is empty: sign in, and save the tokens.');
        }
        if ($apiKey !== null && $pair !== null) {
            throw new ConfigurationError('Give apiKey or tokens, not both.');
        }
        $key = Configuration::apiKey(
            $pair === null ? Configuration::option($apiKey, 'FUNDPROOF_API_KEY') : null,
        );
        $environment = Configuration::option($environment, 'FUNDPROOF_ENVIRONMENT');
        $settings = new Settings(
            Configuration::environment($environment, $key),
            Configuration::baseUrl(Configuration::option($baseUrl, 'FUNDPROOF_BASE_URL'), $allowHttp),
            $key,
            $transport ?? new CurlTransport(),
            Configuration::seconds($timeout, 'timeout'),
            Configuration::retries($maxRetries),
            Configuration::seconds($maxRetryAfter, 'maxRetryAfter', true),
            self::userAgent($appInfo),
            $onRequest,
            $onResponse,
            $onRetry,
            $logger,
        );
        $session = $pair === null ? null : new TokenSession($pair, $onTokens, $tokenStore);
        $this->connect(new Sender($settings, $session));
    }

    /**
     * Returns a copy with other options. All options that you do not name stay the same. Copies
     * share their connection and their tokens.
     *
     *     $patient = $fundproof->withOptions(timeout: 120, maxRetries: 5);
     */
    public function withOptions(
        int|float|null $timeout = null,
        ?int $maxRetries = null,
        int|float|null $maxRetryAfter = null,
        ?Transport $transport = null,
        ?Closure $onRequest = null,
        ?Closure $onResponse = null,
        ?Closure $onRetry = null,
        ?object $logger = null,
    ): self {
        $old = $this->sender->settings;
        $settings = new Settings(
            $old->environment,
            $old->baseUrl,
            $old->apiKey,
            $transport ?? $old->transport,
            $timeout === null ? $old->timeout : Configuration::seconds($timeout, 'timeout'),
            $maxRetries === null ? $old->maxRetries : Configuration::retries($maxRetries),
            Configuration::seconds($maxRetryAfter ?? $old->maxRetryAfter, 'maxRetryAfter', true),
            $old->userAgent,
            $onRequest ?? $old->onRequest,
            $onResponse ?? $old->onResponse,
            $onRetry ?? $old->onRetry,
            $logger ?? $old->logger,
            $old->clock,
        );
        /** @var self $copy */
        $copy = (new \ReflectionClass(self::class))->newInstanceWithoutConstructor();
        $copy->connect(new Sender($settings, $this->sender->session));
        return $copy;
    }

    /** @return array<string, mixed> Without the key and the tokens. */
    public function __debugInfo(): array
    {
        $settings = $this->sender->settings;
        return ['environment' => $settings->environment, 'baseUrl' => $settings->baseUrl];
    }

    private function connect(Sender $sender): void
    {
        $this->sender = $sender;
        $this->makeResources($sender);
    }

    private static function userAgent(?string $appInfo): string
    {
        if ($appInfo !== null && preg_match('/^[\x20-\x7e]{1,100}$/D', $appInfo) !== 1) {
            throw new ConfigurationError('appInfo has at most 100 printable characters of ASCII.');
        }
        $agent = sprintf('fundproof-php/%s (PHP %s; %s)', self::VERSION, PHP_VERSION, PHP_OS_FAMILY);
        return $appInfo === null ? $agent : "$agent $appInfo";
    }
}
