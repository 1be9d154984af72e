import type { NotificationTexts } from '../texts.ts'

export const es: NotificationTexts = {
  donation_completed: ({ amount, currency, campaign, to }) => ({
    title: to === 'donor' ? 'Tu donación ha llegado' : 'Ha llegado una donación',
    message: `${amount} ${currency} para «${campaign}» son definitivos en la cadena y están abonados.`,
  }),
  donation_reversed: ({ amount, currency, campaign, to, reason }) => ({
    title: `${to === 'donor' ? 'Tu' : 'Una'} donación ha sido ${reason === 'reorganised' ? 'retirada por la cadena' : 'traspasada'}`,
    message:
      reason === 'reorganised'
        ? `La cadena se reorganizó y ya no contiene ${amount} ${currency} para «${campaign}».`
        : `${amount} ${currency} para «${campaign}» son ahora la donación del titular de la cartera que los envió.`,
  }),
  deposit_unclaimed: ({ amount, currency, campaign }) => ({
    title: 'Ha llegado dinero que nadie ha registrado',
    message: `«${campaign}» ha recibido ${amount} ${currency} que nadie ha registrado como donación. Quien lo envió puede reclamarlo.`,
  }),
  milestone_reached: ({ milestone, campaign }) => ({
    title: 'Se ha alcanzado una etapa',
    message: `«${campaign}» ha recaudado lo suficiente para «${milestone}». Ya se puede verificar; si la campaña tiene un contrato de depósito, solo cuando este haya alcanzado su meta.`,
  }),
  campaign_funded: ({ amount, currency, campaign }) => ({
    title: 'Tu campaña ha alcanzado su meta',
    message: `«${campaign}» ha alcanzado su meta de ${amount} ${currency}.`,
  }),
  milestone_verified: ({ milestone, campaign }) => ({
    title: 'Una etapa ha sido verificada',
    message: `Se ha verificado «${milestone}» de «${campaign}».`,
  }),
  milestone_rejected: ({ milestone, campaign }) => ({
    title: 'Un justificante no ha sido aceptado',
    message: `No se han aceptado los justificantes de «${milestone}» de «${campaign}». Se puede volver a verificar.`,
  }),
  release_waiting: ({ milestone, campaign }) => ({
    title: 'Una etapa verificada espera su liberación',
    message: `«${milestone}» de «${campaign}» se verificó hace tres días, y el contrato de depósito aún no ha pagado. Cualquiera puede enviar la liberación.`,
  }),
  campaign_failed: ({ amount, currency, campaign }) => ({
    title: 'El contrato de depósito de tu campaña ha fracasado',
    message: `El contrato de depósito de «${campaign}» ya no paga ninguna etapa. Devuelve ${amount} ${currency} a los donantes.`,
  }),
  refund_ready: ({ amount, currency, campaign }) => ({
    title: 'Puedes obtener un reembolso',
    message: `El contrato de depósito de «${campaign}» devuelve dinero. Ya puedes reclamar tu parte de ${amount} ${currency}.`,
  }),
  donation_refunded: ({ amount, currency, campaign, receiver }) =>
    receiver
      ? {
          title: 'Los verificadores han elegido quién recibe tu donación',
          message: `El contrato de depósito de «${campaign}» ha pagado ${amount} ${currency} de tu donación a ${receiver}, como firmaron sus verificadores. Conocemos otra cuenta como remitente.`,
        }
      : {
          title: 'Has recibido un reembolso',
          message: `El contrato de depósito de «${campaign}» ha devuelto ${amount} ${currency} de tu donación.`,
        },
  impact_verified: ({ campaign }) => ({
    title: 'Se ha verificado tu informe de impacto',
    message: `Se ha verificado lo que «${campaign}» declaró haber logrado.`,
  }),
  webhook_disabled: ({ url, reason }) => ({
    title: 'Se ha desactivado un webhook',
    message:
      reason === 'gone'
        ? `${url} respondió 410 Gone, así que ya no le enviamos eventos.`
        : `Todos los intentos de llegar a ${url} han fallado durante cinco días, así que ya no le enviamos eventos.`,
  }),
}
