ALTER TABLE "app_user" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "user_agent" text;--> statement-breakpoint
CREATE INDEX "mail_address" ON "mail" USING btree ("to_address","created_at");