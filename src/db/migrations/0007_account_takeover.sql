ALTER TABLE "wallet" ADD COLUMN "before_reset" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD COLUMN "set_by_admin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Wallets that were linked before their user's address was verified, or before a password reset that
-- a session still shows.
UPDATE wallet SET before_reset = true FROM app_user
WHERE app_user.id = wallet.user_id
  AND (app_user.email_verified_at IS NULL OR wallet.created_at < app_user.email_verified_at
       OR EXISTS (
         SELECT FROM session
         WHERE session.user_id = wallet.user_id AND session.revoked_reason = 'password_reset'
           AND session.revoked_at >= wallet.created_at));
