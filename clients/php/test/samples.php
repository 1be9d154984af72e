<?php

declare(strict_types=1);

// Runs samples, which are texts of PHP by their names in the file of the first argument. Each one
// makes its client from the environment.

use Fundproof\Error\NotFoundError;

require __DIR__ . '/../init.php';

$run = static function (string $code): void {
    eval($code);
};
$failures = 0;
foreach (json_decode(file_get_contents($argv[1]), true, flags: JSON_THROW_ON_ERROR) as $name => $code) {
    ob_start();
    try {
        $run($code);
        $message = null;
    } catch (NotFoundError $error) {
        // The server of the test ends a stream by this, after its first event.
        $message = str_contains($code, '->stream(') ? null : $error->getMessage();
    } catch (Throwable $error) {
        $message = $error::class . ': ' . $error->getMessage();
    }
    ob_end_clean();
    echo $message === null ? "ok $name\n" : "failed $name: $message\n";
    $failures += $message === null ? 0 : 1;
}
exit($failures === 0 ? 0 : 1);
