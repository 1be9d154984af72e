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
  password_changed: ({ wallets, webhooks, campaigns, roles }) => {
    const remaining = listsOf([
      ['Portefeuilles', wallets],
      ['Webhooks', webhooks],
      ['Campagnes', campaigns],
      ['Rôles', roles],
    ])
    return {
      subject: 'Votre mot de passe a été changé',
      text: `Votre mot de passe Fundproof a été changé avec un code que nous avons envoyé à cette adresse. Toutes
les sessions et clés d'API ont pris fin, et tous les webhooks sont en pause.

${
  remaining === ''
    ? "Il ne reste rien d'autre dans votre compte."
    : `Voici ce qui reste dans votre compte. Supprimez ce qui n'est pas à vous :

${remaining}`
}
`,
    }
  },
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
  account_changed: ({ change }) =>
    change === 'password'
      ? {
          subject: 'Votre mot de passe a été changé',
          text: `Le mot de passe de votre compte Fundproof a été changé par une session qui a donné l'ancien. Toutes
les autres sessions ont pris fin. Les clés d'API et les webhooks restent actifs.

Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe, avec un code que nous
envoyons à cette adresse.
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
