import type { NotificationTexts } from '../texts.ts'

export const de: NotificationTexts = {
  donation_completed: ({ amount, currency, campaign, to }) => ({
    title: to === 'donor' ? 'Ihre Spende ist angekommen' : 'Eine Spende ist angekommen',
    message: `${amount} ${currency} für „${campaign}“ sind auf der Chain endgültig und gutgeschrieben.`,
  }),
  donation_reversed: ({ amount, currency, campaign, to, reason }) => ({
    title: `${to === 'donor' ? 'Ihre' : 'Eine'} Spende wurde ${reason === 'reorganised' ? 'zurückgenommen' : 'übertragen'}`,
    message:
      reason === 'reorganised'
        ? `Die Chain wurde reorganisiert und enthält ${amount} ${currency} für „${campaign}“ nicht mehr.`
        : `${amount} ${currency} für „${campaign}“ gelten nun als Spende des Inhabers der Wallet, von der sie kamen.`,
  }),
  deposit_unclaimed: ({ amount, currency, campaign }) => ({
    title: 'Geld ist eingegangen, das niemand gemeldet hat',
    message: `„${campaign}“ hat ${amount} ${currency} erhalten, die niemand als Spende gemeldet hat. Wer sie geschickt hat, kann sie beanspruchen.`,
  }),
  milestone_reached: ({ milestone, campaign }) => ({
    title: 'Eine Etappe ist erreicht',
    message: `„${campaign}“ hat genug für „${milestone}“ gesammelt. Die Etappe kann nun geprüft werden, bei einer Kampagne mit Treuhandvertrag erst, wenn er sein Ziel erreicht hat.`,
  }),
  campaign_funded: ({ amount, currency, campaign }) => ({
    title: 'Ihre Kampagne hat ihr Ziel erreicht',
    message: `„${campaign}“ hat das Ziel von ${amount} ${currency} erreicht.`,
  }),
  milestone_verified: ({ milestone, campaign }) => ({
    title: 'Eine Etappe wurde geprüft',
    message: `„${milestone}“ von „${campaign}“ wurde geprüft.`,
  }),
  milestone_rejected: ({ milestone, campaign }) => ({
    title: 'Ein Nachweis wurde nicht anerkannt',
    message: `Die Nachweise für „${milestone}“ von „${campaign}“ wurden nicht anerkannt. Eine neue Prüfung ist möglich.`,
  }),
  release_waiting: ({ milestone, campaign }) => ({
    title: 'Eine geprüfte Etappe wartet auf die Freigabe',
    message: `„${milestone}“ von „${campaign}“ ist seit drei Tagen geprüft, aber der Treuhandvertrag hat noch nicht ausgezahlt. Jeder kann die Freigabe senden.`,
  }),
  campaign_failed: ({ amount, currency, campaign }) => ({
    title: 'Der Treuhandvertrag Ihrer Kampagne ist gescheitert',
    message: `Der Treuhandvertrag von „${campaign}“ zahlt nichts mehr aus. Er gibt den Spendern ${amount} ${currency} zurück.`,
  }),
  refund_ready: ({ amount, currency, campaign }) => ({
    title: 'Sie können eine Rückzahlung bekommen',
    message: `Der Treuhandvertrag von „${campaign}“ gibt Geld zurück. Sie können Ihren Anteil an ${amount} ${currency} jetzt abrufen.`,
  }),
  donation_refunded: ({ amount, currency, campaign, receiver }) =>
    receiver
      ? {
          title: 'Prüfer haben den Empfänger Ihrer Spende bestimmt',
          message: `Der Treuhandvertrag von „${campaign}“ hat ${amount} ${currency} Ihrer Spende an ${receiver} gezahlt, wie seine Prüfer unterschrieben haben. Als Absender kennen wir ein anderes Konto.`,
        }
      : {
          title: 'Sie haben eine Rückzahlung erhalten',
          message: `Der Treuhandvertrag von „${campaign}“ hat ${amount} ${currency} Ihrer Spende zurückgezahlt.`,
        },
  impact_verified: ({ campaign }) => ({
    title: 'Ihr Wirkungsbericht wurde geprüft',
    message: `Die Angaben von „${campaign}“ zur Wirkung wurden geprüft.`,
  }),
  webhook_disabled: ({ url, reason }) => ({
    title: 'Ein Webhook-Endpunkt wurde abgeschaltet',
    message:
      reason === 'gone'
        ? `${url} hat mit 410 Gone geantwortet; wir senden keine Ereignisse mehr dorthin.`
        : `Seit fünf Tagen ist jeder Versuch gescheitert, ${url} zu erreichen; wir senden keine Ereignisse mehr dorthin.`,
  }),
}
