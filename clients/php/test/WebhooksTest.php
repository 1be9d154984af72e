<?php

declare(strict_types=1);

namespace Fundproof\Test;

use DateTimeImmutable;
use Fundproof\Error\ConfigurationError;
use Fundproof\Error\WebhookVerificationError;
use Fundproof\Event\DonationCompleted;
use Fundproof\Event\UserVerified;
use Fundproof\UnknownEvent;
use Fundproof\Webhooks;
use PHPUnit\Framework\TestCase;

/** Tests that the vectors cannot contain: PHP's forms of headers, and events as objects. */
final class WebhooksTest extends TestCase
{
    private const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    private const BODY = '{"id":"e1","event":"user.verified","created":"2026-01-31T12:00:00Z",'
        . '"test":true,"data":{"userId":"u1","verifiedAt":"2026-01-31T12:00:00Z"}}';

    public function testVerifiesWhatItSigned(): void
    {
        $event = Webhooks::verify(self::BODY, Webhooks::sign(self::BODY, self::SECRET), self::SECRET);
        self::assertInstanceOf(UserVerified::class, $event);
        self::assertSame('u1', $event->data->userId);
        self::assertTrue($event->isTest());
    }

    public function testTakesTheHeadersOfServersAndFrameworks(): void
    {
        $signed = Webhooks::sign(self::BODY, self::SECRET);
        $server = [];
        foreach ($signed as $name => $value) {
            $server['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
        }
        $psr7 = array_map(static fn (string $value): array => [$value], $signed);
        $forms = [$signed, $server + $_SERVER, $psr7, array_change_key_case($signed, CASE_UPPER)];
        foreach ($forms as $headers) {
            self::assertSame('e1', Webhooks::verify(self::BODY, $headers, self::SECRET)->id);
        }
    }

    public function testRefusesAParsedBody(): void
    {
        foreach ([json_decode(self::BODY), json_decode(self::BODY, true), null, false] as $parsed) {
            try {
                Webhooks::verify($parsed, Webhooks::sign(self::BODY, self::SECRET), self::SECRET);
                self::fail('A parsed body is taken.');
            } catch (WebhookVerificationError $error) {
                self::assertSame(WebhookVerificationError::NOT_RAW, $error->reason);
                self::assertStringContainsString('raw body', $error->getMessage());
            }
        }
    }

    public function testSignsWithNoPublicKey(): void
    {
        $this->expectException(WebhookVerificationError::class);
        Webhooks::sign(self::BODY, 'whpk_' . base64_encode(str_repeat('k', 32)));
    }

    public function testSignsForAnotherTime(): void
    {
        $then = new DateTimeImmutable('2026-01-31T12:00:00Z');
        $signed = Webhooks::sign(self::BODY, self::SECRET, 'msg_1', $then);
        self::assertSame('msg_1', $signed['webhook-id']);
        self::assertSame('e1', Webhooks::verify(self::BODY, $signed, self::SECRET, now: $then)->id);
        self::assertSame('e1', Webhooks::verify(self::BODY, $signed, self::SECRET, tolerance: null)->id);
        $this->expectException(WebhookVerificationError::class);
        Webhooks::verify(self::BODY, $signed, self::SECRET);
    }

    public function testATimeThatIsNoneIsRefusedAsATolerance(): void
    {
        $signed = Webhooks::sign(self::BODY, self::SECRET, at: new DateTimeImmutable('2020-01-01'));
        foreach ([NAN, INF, -INF, -1] as $tolerance) {
            try {
                Webhooks::verify(self::BODY, $signed, self::SECRET, $tolerance);
                self::fail("Taken: $tolerance");
            } catch (ConfigurationError $error) {
                self::assertStringContainsString('tolerance', $error->getMessage());
            }
        }
    }

    public function testLooksAtTheFirstSixteenSignaturesOnly(): void
    {
        $signed = Webhooks::sign(self::BODY, self::SECRET);
        $wrong = 'v1,' . base64_encode(str_repeat('x', 32));
        $verify = fn (int $before) => Webhooks::verify(self::BODY, [
            'webhook-signature' => str_repeat("$wrong  ", $before) . $signed['webhook-signature'],
        ] + $signed, self::SECRET);
        self::assertSame('e1', $verify(15)->id);
        $this->expectException(WebhookVerificationError::class);
        $verify(16);
    }

    public function testAnEarlierEventThatLacksFieldsIsNoError(): void
    {
        $body = '{"id":"e1","event":"user.verified","created":"2026-01-31T12:00:00Z","data":{"userId":"u1"}}';
        $event = Webhooks::verify($body, Webhooks::sign($body, self::SECRET), self::SECRET);
        self::assertInstanceOf(UserVerified::class, $event);
        self::assertSame('u1', $event->data->userId);
        self::assertNull($event->data->verifiedAt);
    }

    public function testAnEventOfAnotherFormIsUnknown(): void
    {
        $good = ['id' => 'e1', 'event' => 'donation.completed', 'created' => '2026-01-31T12:00:00Z'];
        $odd = [
            ['data' => ['donationId' => 'd1', 'transaction' => new \stdClass()]],
            ['data' => ['amount' => ['value' => 'much', 'currency' => 'USDC']]],
            ['data' => ['amount' => ['value' => 25.1, 'currency' => 'USDC']]],
            ['data' => 'd1'],
            ['event' => 7],
            ['id' => null],
            ['created' => 'soon'],
        ];
        foreach ($odd as $change) {
            $body = json_encode((object) ($change + $good));
            $event = Webhooks::verify($body, Webhooks::sign($body, self::SECRET), self::SECRET);
            self::assertInstanceOf(UnknownEvent::class, $event, $body);
            self::assertSame($body, json_encode($event));
        }
        self::assertNull($event->created);
    }

    public function testABodyThatIsNoEventAndASecretWithALineBreakAreRefused(): void
    {
        $refused = [['[]', self::SECRET, 'not_raw'], [self::BODY, self::SECRET . "\n", 'bad_secret']];
        foreach ($refused as [$body, $secret, $reason]) {
            try {
                Webhooks::verify($body, Webhooks::sign($body, self::SECRET), $secret);
                self::fail("Taken: $body");
            } catch (WebhookVerificationError $error) {
                self::assertSame($reason, $error->reason);
            }
        }
    }

    public function testANewEventIsNoError(): void
    {
        $body = '{"id":"e1","event":"moon.full","created":"2026-01-31T12:00:00Z","data":{"a":[]}}';
        $event = Webhooks::verify($body, Webhooks::sign($body, self::SECRET), self::SECRET);
        self::assertInstanceOf(UnknownEvent::class, $event);
        self::assertNotInstanceOf(DonationCompleted::class, $event);
        self::assertSame([], $event->data->a);
        self::assertSame($body, json_encode($event));
    }
}
