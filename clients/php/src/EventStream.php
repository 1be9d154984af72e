<?php

declare(strict_types=1);

namespace Fundproof;

use Fundproof\Error\AbortError;
use Fundproof\Error\ApiError;
use Fundproof\Error\ConnectionError;
use Fundproof\Error\RateLimitError;
use Fundproof\Error\ServerError;
use Fundproof\Internal\Call;
use Fundproof\Internal\EventParser;
use Fundproof\Internal\Retry;
use Fundproof\Internal\Sender;
use Generator;
use IteratorAggregate;

/**
 * Events while they happen. The loop does not end by itself: if a connection ends, breaks or is
 * silent for 45 seconds, the stream connects again and continues after the last event. `break`
 * closes the connection.
 *
 *     $stream = $fundproof->events->stream(after: $stored);
 *     foreach ($stream as $event) {
 *         handle($event);
 *         store($stream->lastEventId());
 *     }
 *
 * @implements IteratorAggregate<int, Event>
 */
final class EventStream implements IteratorAggregate
{
    private const WAIT_S = 1.0;
    private const SHORTEST_WAIT_S = 0.25;
    private const LONGEST_WAIT_S = 60.0;
    private const REMEMBERED_EVENTS = 1000;

    /** @var array<string, true> */
    private array $seen = [];
    private float $wait = self::WAIT_S;

    /**
     * @param array<string, mixed> $query
     * @internal
     */
    public function __construct(
        private readonly Sender $sender,
        private readonly array $query = [],
        private readonly ?RequestOptions $options = null,
        private ?string $lastEventId = null,
    ) {
    }

    /**
     * The position of the newest event. Store this position. A later stream that gets it as `after`
     * continues after this event.
     */
    public function lastEventId(): ?string
    {
        return $this->lastEventId ?? $this->query['after'] ?? null;
    }

    /** @return Generator<int, Event> */
    public function getIterator(): Generator
    {
        $wasOpen = false;
        $failures = 0;
        while (true) {
            $after = 0.0;
            try {
                $answer = $this->sender->send($this->call($wasOpen));
                $wasOpen = true;
                $parser = new EventParser($this->lastEventId);
                foreach ($answer->chunks as $chunk) {
                    $failures = 0;
                    foreach ($parser->push($chunk) as ['id' => $id, 'data' => $data]) {
                        $event = $data === null ? null : Event::parse($data);
                        $this->lastEventId = $id;
                        if ($event !== null && ($event->id === '' || $this->isNew($event->id))) {
                            yield $event;
                        }
                    }
                    if ($parser->retryMs !== null) {
                        $wait = $parser->retryMs / 1000;
                        $this->wait = min(max($wait, self::SHORTEST_WAIT_S), self::LONGEST_WAIT_S);
                    }
                }
            } catch (ConnectionError | ServerError | RateLimitError $error) {
                $after = $error instanceof ApiError ? $error->retryAfter ?? 0.0 : 0.0;
                if (!$wasOpen || $this->isFinal($error)) {
                    throw $error;
                }
            }
            $clock = $this->sender->settings->clock;
            $backoff = $failures === 0 ? 0.0 : Retry::wait($failures - 1, $clock->random());
            $clock->sleep(max($this->wait, $backoff, $after), $this->options?->signal);
            $failures++;
        }
    }

    private function isFinal(ConnectionError|ApiError $error): bool
    {
        return $error instanceof AbortError
            || ($error->errorCode ?? '') === 'too_many_streams'
            || ($error->retryAfter ?? 0) > $this->sender->settings->maxRetryAfter;
    }

    /**
     * Only the first connection has retries, because the loop waits before each later connection.
     */
    private function call(bool $wasOpen): Call
    {
        $options = ($this->options ?? new RequestOptions())->with(idempotencyKey: null);
        $query = $this->query;
        if ($this->lastEventId !== null) {
            unset($query['after']);
        }
        return new Call(
            'GET',
            '/api/events/stream',
            query: $query,
            options: $wasOpen ? $options->with(maxRetries: 0) : $options,
            accept: 'text/event-stream',
            stream: true,
            lastEventId: $this->lastEventId,
        );
    }

    private function isNew(string $id): bool
    {
        if (isset($this->seen[$id])) {
            return false;
        }
        $this->seen[$id] = true;
        if (count($this->seen) > self::REMEMBERED_EVENTS) {
            unset($this->seen[array_key_first($this->seen)]);
        }
        return true;
    }
}
