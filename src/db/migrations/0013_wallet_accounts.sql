ALTER TABLE "signature_challenge" DROP CONSTRAINT "signature_challenge_purpose";--> statement-breakpoint
ALTER TABLE "signature_challenge" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "app_user" ALTER COLUMN "email" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "app_user" ALTER COLUMN "password_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "signature_challenge" ADD CONSTRAINT "signature_challenge_user" CHECK (("signature_challenge"."user_id" is null) = ("signature_challenge"."purpose" = 'sign_in'));--> statement-breakpoint
ALTER TABLE "signature_challenge" ADD CONSTRAINT "signature_challenge_purpose" CHECK ("signature_challenge"."purpose" in ('link_wallet','campaign_account','claim_deposit','sign_in'));