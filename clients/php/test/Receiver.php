<?php

declare(strict_types=1);

namespace Fundproof\Test;

use Fundproof\Event;
use RuntimeException;

/** Runs `receive.php` with PHP's own server, on a free port of this machine. */
final class Receiver
{
    public readonly string $url;
    private readonly string $folder;
    /** @var resource */
    private $process;

    public function __construct()
    {
        $this->folder = sys_get_temp_dir() . '/fundproof-receiver-' . bin2hex(random_bytes(8));
        mkdir($this->folder, 0700);
        $address = self::freeAddress();
        $this->url = "http://$address/";
        $null = ['file', '/dev/null', 'w'];
        $this->process = proc_open(
            [PHP_BINARY, '-S', $address, __DIR__ . '/receive.php'],
            [['file', '/dev/null', 'r'], $null, $null],
            $pipes,
            null,
            ['RECEIVER_FOLDER' => $this->folder] + getenv(),
        );
        for ($try = 0; @fsockopen("tcp://$address") === false; $try++) {
            if ($try === 200) {
                throw new RuntimeException('The receiver does not start.');
            }
            usleep(50_000);
        }
    }

    public function __destruct()
    {
        proc_terminate($this->process);
        proc_close($this->process);
        array_map(unlink(...), glob("$this->folder/*"));
        rmdir($this->folder);
    }

    /** Sets the secret with which webhooks must be signed. */
    public function expect(string $secret): void
    {
        file_put_contents("$this->folder/secret", $secret);
    }

    /** @return list<Event> The verified events so far. */
    public function events(): array
    {
        return array_map(Event::parse(...), $this->lines('events'));
    }

    /** @return list<string> The reasons of the refused requests so far. */
    public function refused(): array
    {
        return $this->lines('refused');
    }

    /** @return list<string> */
    private function lines(string $name): array
    {
        $file = "$this->folder/$name";
        return is_file($file) ? file($file, FILE_IGNORE_NEW_LINES) : [];
    }

    private static function freeAddress(): string
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        $address = stream_socket_get_name($socket, false);
        fclose($socket);
        return $address;
    }
}
