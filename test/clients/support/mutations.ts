import type { Language } from './programs.ts'

/** A fault in a copy of a client: `instead` replaces `text` in a file. */
export type Mutation = readonly [what: string, text: string, instead: string]

/** Faults that the shared vectors must find, by language and file. */
export const MUTATIONS: Record<Language, Record<string, readonly Mutation[]>> = {
  javascript: {
    'src/webhook-keys.ts': [
      [
        'accepts every v1 signature',
        "crypto.subtle.verify('HMAC', key, signature, content)",
        'Promise.resolve(signature.length + content.length > 0)',
      ],
      [
        'accepts every v1a signature',
        "crypto.subtle.verify('Ed25519', key, signature, content)",
        'Promise.resolve(signature.length + content.length > 0)',
      ],
    ],
    'src/webhooks.ts': [
      ['accepts old webhooks', 'age > tolerance', 'age > tolerance + 1'],
      ['accepts webhooks of the future', 'age < -tolerance', 'age < -2 * tolerance'],
      ['takes tolerance 0 as absent', 'if (tolerance === null) return', 'if (!tolerance) return'],
    ],
    'src/retry.ts': [
      ['waits half as long', '0.5 + random() / 2', '0.25 + random() / 4'],
      ['waits without a cap', 'Math.min(LONGEST_PAUSE_MS, ', '('],
      ['takes a date in Retry-After the wrong way round', 'at - nowMs', 'nowMs - at'],
    ],
    'src/amount.ts': [
      ['sends any text as an amount', 'DECIMAL.test(text)', "text !== ''"],
      ['sends numbers with a fraction', 'Number.isSafeInteger(value)', "typeof value === 'number'"],
    ],
    'src/page.ts': [
      ['goes on with the same cursor', 'nextCursor === this.#cursor', 'nextCursor === ""'],
      ['stops after the first page', '!this.hasMore', 'this.hasMore'],
    ],
  },
  python: {
    'src/fundproof/webhooks.py': [
      [
        'accepts every v1 signature',
        'hmac.compare_digest(signature, self.sign(content))',
        'signature != b""',
      ],
      ['accepts every v1a signature', 'return is_signed(', 'return True or is_signed('],
      ['accepts old webhooks', 'int(stamp) < now - tolerance', 'int(stamp) < now - tolerance - 1'],
      [
        'accepts webhooks of the future',
        'int(stamp) > now + tolerance',
        'int(stamp) > now + tolerance + 1',
      ],
      ['takes tolerance 0 as absent', 'if tolerance is None', 'if not tolerance'],
    ],
    'src/fundproof/_core.py': [
      ['waits half as long', '0.5 + random / 2', '0.25 + random / 4'],
      ['waits without a cap', 'min(8.0, ', '('],
    ],
    'src/fundproof/_answer.py': [
      [
        'takes a date in Retry-After the wrong way round',
        'parsedate_to_datetime(text).timestamp() - now',
        'now - parsedate_to_datetime(text).timestamp()',
      ],
    ],
    'src/fundproof/_values.py': [
      [
        'reads amounts as floats',
        'amount = Decimal(value)',
        'amount = Decimal(repr(float(value)))',
      ],
      [
        'sends any text as an amount',
        'if not _AMOUNT.fullmatch(text)',
        'if not _AMOUNT.match(text)',
      ],
    ],
    'src/fundproof/_page.py': [
      ['goes on with the same cursor', 'if self.is_stuck', 'if self.is_stuck is None'],
      ['stops after the first page', 'if not self.has_more', 'if self.has_more'],
    ],
  },
  php: {
    'src/Webhooks.php': [
      [
        'accepts every v1 signature',
        "hash_equals(hash_hmac('sha256', $content, $key, true), $signature)",
        '$signature !== null',
      ],
      [
        'accepts every v1a signature',
        'sodium_crypto_sign_verify_detached($signature, $content, $key)',
        '$content !== $key',
      ],
      [
        'accepts old webhooks',
        '$now - (int) $time > $tolerance',
        '$now - (int) $time > $tolerance + 1',
      ],
      [
        'accepts webhooks of the future',
        '(int) $time - $now > $tolerance',
        '(int) $time - $now > $tolerance + 1',
      ],
      ['takes tolerance 0 as absent', 'if ($tolerance !== null && $now', 'if ($tolerance && $now'],
    ],
    'src/Internal/Retry.php': [
      ['waits half as long', '0.5 + $random / 2', '0.25 + $random / 4'],
      ['waits without a cap', 'min(self::LONGEST_WAIT_MS, ', '('],
      [
        'takes a date in Retry-After the wrong way round',
        '$date->getTimestamp() - $now',
        '$now - $date->getTimestamp()',
      ],
    ],
    'src/Amount.php': [
      ['reads amounts as floats', 'return $wire', 'return (string) (float) $wire'],
      ['takes a line break for an end', '$/D', '$/'],
    ],
    'src/Page.php': [
      [
        'goes on with the same cursor',
        '$this->nextCursor === $this->cursor',
        '$this->nextCursor === ""',
      ],
      ['stops after the first page', '!$this->hasMore', '$this->hasMore'],
    ],
  },
}
