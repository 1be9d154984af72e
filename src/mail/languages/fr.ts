import { listsOf, type MailTexts } from '../templates.ts'

export const fr: MailTexts = {
  verify_email: ({ code, minutes }) => ({
    subject: `${code} est votre code Fundproof`,
    text: `Votre code pour confirmer cette adresse électronique est

    ${code}

Il est valable ${minutes} minutes. Si vous ne l'avez pas demandé, ignorez ce message.
`,
  }),
  reset_password: ({ code, minutes }) => ({
    subject: 'Votre code pour choisir un nouveau mot de passe',
    text: `Votre code pour choisir un nouveau mot de passe Fundproof est

    ${code}

Il est valable ${minutes} minutes. Si vous ne l'avez pas demandé, ignorez ce message : votre mot de
passe reste inchangé. Ne donnez ce code à personne.
`,
  }),
  endpoint_disabled: ({ url, reason }) => ({
    subject: 'Un de vos points de terminaison webhook a été désactivé',
    text: `Nous n'envoyons plus d'événements à

    ${url}

${
  reason === 'gone'
    ? "Il a répondu 410 Gone, ce qui nous demande d'arrêter."
    : 'Toutes les tentatives des cinq derniers jours ont échoué.'
}
Les événements qui surviennent entre-temps ne sont pas perdus : ils figurent dans votre compte.
`,
  }),
  password_changed: ({ isKept, wallets, webhooks, campaigns, roles }) => ({
    subject: 'Votre mot de passe a été changé',
    text: `${
      isKept
        ? `Votre mot de passe Fundproof a été changé dans une session ouverte. Toutes les autres sessions ont
pris fin. Les clés d'API, les webhooks et les portefeuilles restent actifs.`
        : `Votre mot de passe Fundproof a été changé. Toutes les autres sessions et les clés d'API ont pris fin,
les webhooks sont en pause, et un portefeuille ne peut se connecter que si vous le liez de nouveau.`
    }
${listsOf("Voici ce qui reste dans votre compte. Supprimez ce qui n'est pas à vous :", [
  ['Portefeuilles', wallets],
  ['Webhooks', webhooks],
  ['Campagnes', campaigns],
  ['Rôles', roles],
])}
Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe, avec un code que nous
envoyons à cette adresse.
`,
  }),
  change_email: ({ code, minutes }) => ({
    subject: `${code} est votre code Fundproof`,
    text: `Votre code pour utiliser cette adresse électronique avec votre compte Fundproof est

    ${code}

Il est valable ${minutes} minutes. Si vous ne l'avez pas demandé, ignorez ce message : rien ne change.
Ne donnez ce code à personne.
`,
  }),
  email_taken: () => ({
    subject: 'Cette adresse a déjà un compte Fundproof',
    text: `Un compte Fundproof devait recevoir cette adresse électronique, qui appartient déjà à un autre
compte. Rien n'a changé.

Si vous l'avez demandé, connectez-vous au compte qui a cette adresse, et donnez-lui-en une autre ou
supprimez-le. Si vous ne l'avez pas demandé, ignorez ce message.
`,
  }),
  account_changed: (values) =>
    values.change === 'wallet'
      ? {
          subject: 'Un portefeuille a été lié à votre compte',
          text: `Ce portefeuille peut maintenant se connecter à votre compte Fundproof :

    ${values.wallet}

Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe, avec un code que nous
envoyons à cette adresse. Ensuite, ce portefeuille ne peut plus se connecter.
`,
        }
      : {
          subject: 'Votre adresse électronique a été changée',
          text: `Votre compte Fundproof a désormais une autre adresse électronique. Ce message est le dernier à
l'ancienne.

Si ce n'était pas vous, prévenez tout de suite l'exploitant de ce service.
`,
        },
}
