<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Fundproof\Error\FundproofError;
use Fundproof\File;
use Fundproof\Model;
use Fundproof\ResponseInfo;
use stdClass;
use Throwable;

/**
 * A good answer, and how its content is read.
 *
 * @internal
 */
final class Answer
{
    /** @param iterable<string> $chunks The body of a stream. */
    public function __construct(
        public readonly ResponseInfo $response,
        public readonly string $body,
        public readonly ?stdClass $json = null,
        public readonly iterable $chunks = [],
    ) {
    }

    /**
     * Reads the content from one field, or from the whole object.
     *
     * @template T
     * @param callable(mixed): T $read
     * @return T
     */
    public function read(?string $field, callable $read): mixed
    {
        try {
            $content = $read($this->field($field));
        } catch (FundproofError $error) {
            throw $error;
        } catch (Throwable $error) {
            throw self::unexpected($error->getMessage());
        }
        if ($content instanceof Model) {
            $content->received($this->field($field), $this->response);
        }
        return $content;
    }

    /** Returns a field of the answer, or the whole object. Throws if the field is missing. */
    private function field(?string $name): mixed
    {
        if ($this->json === null || ($name !== null && !property_exists($this->json, $name))) {
            throw self::unexpected($this->json === null ? 'It is empty.' : "There is no field '$name'.");
        }
        return $name === null ? $this->json : $this->json->{$name};
    }

    /** The body as a file. */
    public function file(): File
    {
        $type = $this->response->headers['content-type'] ?? 'application/octet-stream';
        return new File($this->body, $type, $this->response);
    }

    private static function unexpected(string $why): FundproofError
    {
        return new FundproofError("The answer has another form than this version reads. $why");
    }
}
