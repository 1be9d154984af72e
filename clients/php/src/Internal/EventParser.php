<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Fundproof\Error\ConnectionError;

/**
 * Reads server-sent events (HTML Standard, section 9.2) from pieces that end at any byte.
 *
 * @internal
 */
final class EventParser
{
    private const MAX_LINE_BYTES = 16 * 1024 * 1024;

    /** The pause that the server asks for before a new connection, in milliseconds. */
    public ?int $retryMs = null;

    private string $rest = '';
    private bool $isStart = true;
    private bool $skipsLineFeed = false;
    /** @var list<string> */
    private array $data = [];

    private ?string $id;

    /** @param string|null $lastEventId The position before the first frame. */
    public function __construct(public ?string $lastEventId = null)
    {
        $this->id = $lastEventId;
    }

    /**
     * Whether an answer is a stream of events.
     *
     * @param array<string, string> $headers
     */
    public static function reads(int $status, array $headers): bool
    {
        return $status === 200 && str_starts_with($headers['content-type'] ?? '', 'text/event-stream');
    }

    /**
     * Returns the frames that these bytes complete. A frame without data only moves the position.
     *
     * @return list<array{id: string|null, data: string|null}>
     */
    public function push(string $bytes): array
    {
        if ($this->skipsLineFeed && $bytes !== '') {
            $bytes = $bytes[0] === "\n" ? substr($bytes, 1) : $bytes;
            $this->skipsLineFeed = false;
        }
        if ($bytes === '') {
            return [];
        }
        $this->skipsLineFeed = $bytes[-1] === "\r";
        $lines = preg_split('/\r\n|\r|\n/', $this->rest . $bytes);
        $this->rest = array_pop($lines);
        if (strlen($this->rest) > self::MAX_LINE_BYTES) {
            throw new ConnectionError('A line of the stream is too long.');
        }
        $frames = [];
        foreach ($lines as $line) {
            if ($this->isStart) {
                $line = str_starts_with($line, "\u{FEFF}") ? substr($line, 3) : $line;
                $this->isStart = false;
            }
            if ($line === '') {
                $this->lastEventId = $this->id;
                $data = $this->data === [] ? null : implode("\n", $this->data);
                $frames[] = ['id' => $this->lastEventId, 'data' => $data];
                $this->data = [];
            } else {
                $this->field($line);
            }
        }
        return $frames;
    }

    private function field(string $line): void
    {
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $value = str_starts_with($value, ' ') ? substr($value, 1) : $value;
        if ($name === 'data') {
            $this->data[] = $value;
        } elseif ($name === 'id' && !str_contains($value, "\0")) {
            $this->id = $value === '' ? null : $value;
        } elseif ($name === 'retry' && preg_match('/^\d{1,9}$/D', $value) === 1) {
            $this->retryMs = (int) $value;
        }
    }
}
