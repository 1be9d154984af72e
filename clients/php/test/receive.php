<?php

declare(strict_types=1);

// A receiver of webhooks for `php -S`. Writes each verified event as a line of a file.

use Fundproof\Error\WebhookVerificationError;
use Fundproof\Webhooks;

require __DIR__ . '/../init.php';

$folder = getenv('RECEIVER_FOLDER');
$secret = is_file("$folder/secret") ? file_get_contents("$folder/secret") : '';
try {
    $event = Webhooks::verify(file_get_contents('php://input'), getallheaders(), $secret);
    file_put_contents("$folder/events", json_encode($event) . "\n", FILE_APPEND | LOCK_EX);
    http_response_code(204);
} catch (WebhookVerificationError $error) {
    file_put_contents("$folder/refused", "$error->reason\n", FILE_APPEND | LOCK_EX);
    http_response_code(401);
}
