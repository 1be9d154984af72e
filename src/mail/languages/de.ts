import { listsOf, type MailTexts } from '../templates.ts'

export const de: MailTexts = {
  verify_email: ({ code, minutes }) => ({
    subject: `${code} ist Ihr Fundproof-Code`,
    text: `Ihr Code zum Bestätigen dieser E-Mail-Adresse lautet

    ${code}

Er gilt ${minutes} Minuten. Wenn Sie ihn nicht angefordert haben, können Sie diese Nachricht
ignorieren.
`,
  }),
  reset_password: ({ code, minutes }) => ({
    subject: 'Ihr Code für ein neues Passwort',
    text: `Ihr Code für ein neues Fundproof-Passwort lautet

    ${code}

Er gilt ${minutes} Minuten. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht:
Ihr Passwort bleibt, wie es ist. Geben Sie diesen Code niemandem.
`,
  }),
  endpoint_disabled: ({ url, reason }) => ({
    subject: 'Einer Ihrer Webhook-Endpunkte wurde abgeschaltet',
    text: `Wir senden keine Ereignisse mehr an

    ${url}

${
  reason === 'gone'
    ? 'Er hat mit 410 Gone geantwortet und uns damit gebeten aufzuhören.'
    : 'Alle Versuche der letzten fünf Tage sind gescheitert.'
}
Ereignisse aus der Zwischenzeit gehen nicht verloren: Sie stehen in Ihrem Konto.
`,
  }),
  password_changed: ({ isKept, wallets, webhooks, campaigns, roles }) => ({
    subject: 'Ihr Passwort wurde geändert',
    text: `${
      isKept
        ? `Ihr Fundproof-Passwort wurde in einer offenen Sitzung geändert. Alle anderen Sitzungen sind beendet.
API-Schlüssel, Webhooks und Wallets funktionieren weiter.`
        : `Ihr Fundproof-Passwort wurde geändert. Alle anderen Sitzungen und alle API-Schlüssel sind beendet,
alle Webhooks sind angehalten, und eine Wallet meldet Sie erst an, wenn Sie sie neu verknüpfen.`
    }
${listsOf('Das bleibt in Ihrem Konto. Entfernen Sie, was nicht von Ihnen ist:', [
  ['Wallets', wallets],
  ['Webhooks', webhooks],
  ['Kampagnen', campaigns],
  ['Rollen', roles],
])}
Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort, mit einem Code, den wir an diese
Adresse schicken.
`,
  }),
  change_email: ({ code, minutes }) => ({
    subject: `${code} ist Ihr Fundproof-Code`,
    text: `Ihr Code, um diese E-Mail-Adresse für Ihr Fundproof-Konto zu verwenden, lautet

    ${code}

Er gilt ${minutes} Minuten. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht: Es
ändert sich nichts. Geben Sie diesen Code niemandem.
`,
  }),
  email_taken: () => ({
    subject: 'Zu dieser Adresse gibt es schon ein Fundproof-Konto',
    text: `Ein Fundproof-Konto sollte diese E-Mail-Adresse erhalten, die schon zu einem anderen Konto gehört. Es
hat sich nichts geändert.

Wenn Sie das wollten, melden Sie sich bei dem Konto mit dieser Adresse an und geben ihm eine andere
oder löschen es. Wenn nicht, ignorieren Sie diese Nachricht.
`,
  }),
  account_changed: (values) =>
    values.change === 'wallet'
      ? {
          subject: 'Eine Wallet wurde mit Ihrem Konto verknüpft',
          text: `Diese Wallet kann sich jetzt an Ihrem Fundproof-Konto anmelden:

    ${values.wallet}

Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort, mit einem Code, den wir an diese
Adresse schicken. Danach kann sich die Wallet nicht mehr anmelden.
`,
        }
      : {
          subject: 'Ihre E-Mail-Adresse wurde geändert',
          text: `Ihr Fundproof-Konto hat ab jetzt eine andere E-Mail-Adresse. Dies ist die letzte Nachricht an die
alte.

Wenn Sie das nicht waren, wenden Sie sich sofort an den Betreiber dieses Dienstes.
`,
        },
}
