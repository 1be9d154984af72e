import type { NotificationTexts } from '../texts.ts'

export const pt: NotificationTexts = {
  donation_completed: ({ amount, currency, campaign, to }) => ({
    title: to === 'donor' ? 'A sua doação chegou' : 'Chegou uma doação',
    message: `${amount} ${currency} para «${campaign}» são definitivos na cadeia e foram creditados.`,
  }),
  donation_reversed: ({ amount, currency, campaign, to, reason }) => ({
    title: `${to === 'donor' ? 'A sua' : 'Uma'} doação foi ${reason === 'reorganised' ? 'retirada pela cadeia' : 'transferida'}`,
    message:
      reason === 'reorganised'
        ? `A cadeia foi reorganizada e já não contém ${amount} ${currency} para «${campaign}».`
        : `${amount} ${currency} para «${campaign}» são agora a doação do titular da carteira que os enviou.`,
  }),
  deposit_unclaimed: ({ amount, currency, campaign }) => ({
    title: 'Chegou dinheiro que ninguém registou',
    message: `«${campaign}» recebeu ${amount} ${currency} que ninguém registou como doação. Quem enviou pode reclamá-lo.`,
  }),
  milestone_reached: ({ milestone, campaign }) => ({
    title: 'Uma etapa foi atingida',
    message: `«${campaign}» angariou o suficiente para «${milestone}». Já pode ser verificada; se a campanha tiver um contrato de garantia, só quando este atingir o seu objetivo.`,
  }),
  campaign_funded: ({ amount, currency, campaign }) => ({
    title: 'A sua campanha atingiu o seu objetivo',
    message: `«${campaign}» atingiu o seu objetivo de ${amount} ${currency}.`,
  }),
  milestone_verified: ({ milestone, campaign }) => ({
    title: 'Uma etapa foi verificada',
    message: `«${milestone}» de «${campaign}» foi verificada.`,
  }),
  milestone_rejected: ({ milestone, campaign }) => ({
    title: 'Um comprovativo não foi aceite',
    message: `Os comprovativos de «${milestone}» de «${campaign}» não foram aceites. Pode ser verificada de novo.`,
  }),
  release_waiting: ({ milestone, campaign }) => ({
    title: 'Uma etapa verificada espera pela libertação',
    message: `«${milestone}» de «${campaign}» foi verificada há três dias, e o contrato de garantia ainda não pagou. Qualquer pessoa pode enviar a libertação.`,
  }),
  campaign_failed: ({ amount, currency, campaign }) => ({
    title: 'O contrato de garantia da sua campanha falhou',
    message: `O contrato de garantia de «${campaign}» já não paga nenhuma etapa. Devolve ${amount} ${currency} aos doadores.`,
  }),
  refund_ready: ({ amount, currency, campaign }) => ({
    title: 'Pode obter um reembolso',
    message: `O contrato de garantia de «${campaign}» devolve dinheiro. Já pode pedir a sua parte de ${amount} ${currency}.`,
  }),
  donation_refunded: ({ amount, currency, campaign, receiver }) =>
    receiver
      ? {
          title: 'Os verificadores indicaram quem recebe a sua doação',
          message: `O contrato de garantia de «${campaign}» pagou ${amount} ${currency} da sua doação a ${receiver}, como os seus verificadores assinaram. Conhecemos outra conta como remetente.`,
        }
      : {
          title: 'Recebeu um reembolso',
          message: `O contrato de garantia de «${campaign}» devolveu ${amount} ${currency} da sua doação.`,
        },
  impact_verified: ({ campaign }) => ({
    title: 'O seu relatório de impacto foi verificado',
    message: `O que «${campaign}» declarou ter alcançado foi verificado.`,
  }),
  webhook_disabled: ({ url, reason }) => ({
    title: 'Um webhook foi desativado',
    message:
      reason === 'gone'
        ? `${url} respondeu 410 Gone, por isso já não lhe enviamos eventos.`
        : `Todas as tentativas de contactar ${url} falharam durante cinco dias, por isso já não lhe enviamos eventos.`,
  }),
}
