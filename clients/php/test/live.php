<?php

declare(strict_types=1);

// Uses a running sandbox in the steps that `test/clients/README.md` describes.

use Fundproof\Client;
use Fundproof\Error\RateLimitError;
use Fundproof\Event\DonationCompleted;
use Fundproof\Model\ApiScope;
use Fundproof\Model\CampaignStatus;
use Fundproof\Model\DonationStatus;
use Fundproof\Model\EventType;
use Fundproof\Model\Money;
use Fundproof\Model\TransactionInput;
use Fundproof\RequestOptions;
use Fundproof\Test\Receiver;
use Fundproof\TokenPair;

require __DIR__ . '/../init.php';
require __DIR__ . '/Receiver.php';

set_exception_handler(static function (Throwable $error): void {
    fwrite(STDERR, "$error\n");
    exit(1);
});

$check = static function (bool $isRight, string $expected): void {
    if (!$isRight) {
        throw new LogicException("Expected: $expected");
    }
};
$ok = static fn (string $step) => print("ok $step\n");

$eventually = static function (callable $read) use ($check): mixed {
    for ($try = 0; $try < 600; $try++) {
        $value = $read();
        if ($value !== null) {
            return $value;
        }
        usleep(100_000);
    }
    throw new LogicException('It did not happen within a minute.');
};

$name = 'php' . bin2hex(random_bytes(6));
$email = "$name@example.org";
$password = bin2hex(random_bytes(12));
$guest = new Client();
$guest->auth->register(email: $email, username: $name, password: $password);
$code = $eventually(static function () use ($guest, $email): ?string {
    foreach ($guest->sandbox->mail(to: $email) as $mail) {
        if (preg_match('/\b\d{6}\b/', $mail->text, $found) === 1) {
            return $found[0];
        }
    }
    return null;
});
$guest->auth->requestVerification(email: $email, code: $code);
$person = new Client(tokens: $guest->auth->login(username: $name, password: $password)->tokens);
$check($person->auth->account()->emailVerified, 'a verified account');
$ok('sign-up');

$key = $person->keys->create(name: 'live', scopes: [
    ApiScope::READ,
    ApiScope::DONATIONS_WRITE,
    ApiScope::CAMPAIGNS_WRITE,
    ApiScope::WEBHOOKS_WRITE,
]);
$fundproof = new Client(apiKey: $key->key);
$ok('key');

$receiver = new Receiver();
$webhook = $fundproof->webhooks->create(url: $receiver->url, events: [EventType::DONATION_COMPLETED]);
$receiver->expect($webhook->secret);
$ok('webhook');

$account = $fundproof->sandbox->createWallet()->address;
$campaign = $fundproof->campaigns->create(
    title: 'Clean water',
    description: 'A well for the village.',
    targetAmount: '1000',
    currency: 'USDC',
    ledgerAccount: $account,
    status: CampaignStatus::ACTIVE,
);
$check($campaign->status === CampaignStatus::ACTIVE, 'an active campaign');
$ok('campaign');

$transfer = $person->sandbox->transfer(to: $account, amount: '25.10', currency: 'USDC');
$ok('transfer');

$donation = $fundproof->donations->record(
    campaignId: $campaign->id,
    amount: new Money('25.10', 'USDC'),
    transaction: new TransactionInput($transfer->txHash, $account),
);
$check($donation->amount->value === '25.1', 'the amount 25.1');
$ok('record');

$done = $fundproof->donations->waitFor($donation->id, timeout: 60);
$check($done->status === DonationStatus::COMPLETED, "completed, not $done->status");
$check($done->creditedAmount?->value === '25.1', 'the credit 25.1');
$ok('wait');

$found = [];
$status = DonationStatus::COMPLETED;
foreach ($fundproof->donations->list(campaignId: $campaign->id, status: $status) as $each) {
    $found[] = $each->id;
}
$check($found === [$donation->id], 'this donation alone');
$ok('list');

$event = $eventually(static fn () => $receiver->events()[0] ?? null);
$check($event instanceof DonationCompleted, 'donation.completed');
$check($event->data->donationId === $donation->id, 'the event of this donation');
$check($event->data->amount->value === '25.1', 'the amount of the event');
$check($receiver->refused() === [], 'no refused webhook');
$ok('received');

$place = $fundproof->events->list(from: 'now')->nextCursor;
$change = static function (string $text) use ($fundproof, $campaign): void {
    foreach (range(1, 3) as $n) {
        $fundproof->campaigns->update($campaign->id, description: "$text $n");
    }
};
$change('Before');
$proxied = new Client(apiKey: $key->key, baseUrl: getenv('PROXY_URL'));
$streamed = [];
foreach ($proxied->events->stream(after: $place) as $event) {
    $streamed[] = $event->id;
    if (count($streamed) === 1) {
        $change('After');
    }
    if (count($streamed) === 6) {
        break;
    }
}
$listed = [];
foreach ($fundproof->events->list(after: $place) as $event) {
    $listed[] = $event->id;
}
$check($streamed === $listed, 'each event once');
$ok('stream');

$second = new Client(apiKey: $person->keys->create(name: 'limit', scopes: [ApiScope::READ])->key, maxRetries: 0);
$limited = null;
for ($turn = 0; $turn < 700 && $limited === null; $turn++) {
    try {
        $second->campaigns->list(limit: 1);
    } catch (RateLimitError $error) {
        $limited = $error;
    }
}
$check($limited !== null, 'a RateLimitError');
$check($limited->retryAfter >= 1 && $limited->retryAfter <= 60, 'a wait of 1 to 60 seconds');
$ok('limit');

$login = $guest->auth->login(username: $name, password: $password);
$stored = 0;
$returning = new Client(
    tokens: new TokenPair('broken', $login->tokens->refreshToken),
    onTokens: static function () use (&$stored): void {
        $stored++;
    },
);
$check($returning->auth->account()->username === $name, 'the account');
$check($returning->auth->account()->username === $name, 'the account again');
$check($stored === 1, "one refresh, not $stored");
$ok('refresh');

$proof = $fundproof->donations->proof($donation->id, new RequestOptions(maxRetries: 10));
$check($proof->donation->id === $donation->id, 'the proof of this donation');
$ok('proof');
