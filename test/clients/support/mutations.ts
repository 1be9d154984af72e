import type { Language } from './programs.ts'

/** A fault to put into a copy of a client: this text of this file becomes another one. */
export type Mutation = readonly [what: string, file: string, text: string, instead: string]

/** Faults that the shared vectors must find, in each language. */
export const MUTATIONS: Record<Language, readonly Mutation[]> = {
  javascript: [
    [
      'accepts every v1 signature',
      'src/webhook-keys.ts',
      "crypto.subtle.verify('HMAC', key, signature, content)",
      'Promise.resolve(signature.length + content.length > 0)',
    ],
    [
      'accepts every v1a signature',
      'src/webhook-keys.ts',
      "crypto.subtle.verify('Ed25519', key, signature, content)",
      'Promise.resolve(signature.length + content.length > 0)',
    ],
    ['accepts old webhooks', 'src/webhooks.ts', 'age > tolerance', 'age > tolerance + 1'],
    [
      'accepts webhooks of the future',
      'src/webhooks.ts',
      'age < -tolerance',
      'age < -2 * tolerance',
    ],
    ['takes tolerance 0 as absent', 'src/webhooks.ts', 'tolerance === null', '!tolerance'],
    ['waits half as long', 'src/retry.ts', '0.5 + random() / 2', '0.25 + random() / 4'],
    ['waits without a cap', 'src/retry.ts', 'Math.min(LONGEST_PAUSE_MS, ', '('],
    ['takes a date in Retry-After the wrong way round', 'src/retry.ts', 'at - nowMs', 'nowMs - at'],
    ['sends any text as an amount', 'src/amount.ts', '&& DECIMAL.test(text)', "&& text !== ''"],
    ['sends amounts with an exponent', 'src/amount.ts', 'plainText(value) :', 'String(value) :'],
    [
      'goes on with the same cursor',
      'src/page.ts',
      'nextCursor === this.#cursor',
      'nextCursor === ""',
    ],
    ['stops after the first page', 'src/page.ts', '!this.hasMore', 'this.hasMore'],
  ],
  python: [
    [
      'accepts every v1 signature',
      'src/fundproof/webhooks.py',
      'hmac.compare_digest(signature, hmac.digest(secret, content, "sha256"))',
      'signature',
    ],
    [
      'accepts every v1a signature',
      'src/fundproof/webhooks.py',
      'if is_signed(',
      'if True or is_signed(',
    ],
    [
      'accepts old webhooks',
      'src/fundproof/webhooks.py',
      'int(stamp) < now - tolerance',
      'int(stamp) < now - tolerance - 1',
    ],
    [
      'accepts webhooks of the future',
      'src/fundproof/webhooks.py',
      'int(stamp) > now + tolerance',
      'int(stamp) > now + tolerance + 1',
    ],
    [
      'takes tolerance 0 as absent',
      'src/fundproof/webhooks.py',
      'if tolerance is None',
      'if not tolerance',
    ],
    ['waits half as long', 'src/fundproof/_core.py', '0.5 + random / 2', '0.25 + random / 4'],
    ['waits without a cap', 'src/fundproof/_core.py', 'min(8.0, ', '('],
    [
      'takes a date in Retry-After the wrong way round',
      'src/fundproof/_answer.py',
      'parsedate_to_datetime(text).timestamp() - now',
      'now - parsedate_to_datetime(text).timestamp()',
    ],
    [
      'reads amounts as floats',
      'src/fundproof/_values.py',
      'return Decimal(value)',
      'return Decimal(repr(float(value)))',
    ],
    [
      'sends any text as an amount',
      'src/fundproof/_values.py',
      'if not _AMOUNT.fullmatch(text)',
      'if not _AMOUNT.match(text)',
    ],
    [
      'goes on with the same cursor',
      'src/fundproof/_page.py',
      'if self.is_stuck',
      'if self.is_stuck is None',
    ],
    [
      'stops after the first page',
      'src/fundproof/_page.py',
      'if not self.has_more',
      'if self.has_more',
    ],
  ],
  php: [
    [
      'accepts every v1 signature',
      'src/Webhooks.php',
      "hash_equals(hash_hmac('sha256', $content, $key, true), $signature)",
      '$signature !== null',
    ],
    [
      'accepts every v1a signature',
      'src/Webhooks.php',
      'sodium_crypto_sign_verify_detached($signature, $content, $key)',
      '$content !== $key',
    ],
    [
      'accepts old webhooks',
      'src/Webhooks.php',
      '$now - (int) $time > $tolerance',
      '$now - (int) $time > $tolerance + 1',
    ],
    [
      'accepts webhooks of the future',
      'src/Webhooks.php',
      '(int) $time - $now > $tolerance',
      '(int) $time - $now > $tolerance + 1',
    ],
    [
      'takes tolerance 0 as absent',
      'src/Webhooks.php',
      'if ($tolerance !== null && $now',
      'if ($tolerance && $now',
    ],
    ['waits half as long', 'src/Internal/Retry.php', '0.5 + $random / 2', '0.25 + $random / 4'],
    ['waits without a cap', 'src/Internal/Retry.php', 'min(self::LONGEST_WAIT_MS, ', '('],
    [
      'takes a date in Retry-After the wrong way round',
      'src/Internal/Retry.php',
      '$date->getTimestamp() - $now',
      '$now - $date->getTimestamp()',
    ],
    [
      'reads amounts as floats',
      'src/Amount.php',
      'return (string) $wire',
      'return (string) (float) $wire',
    ],
    ['takes a line break for an end', 'src/Amount.php', '$/D', '$/'],
    [
      'goes on with the same cursor',
      'src/Page.php',
      '$this->nextCursor === $this->cursor',
      '$this->nextCursor === ""',
    ],
    ['stops after the first page', 'src/Page.php', '!$this->hasMore', '$this->hasMore'],
  ],
}
