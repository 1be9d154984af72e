DROP INDEX "rate_limit_pressed";--> statement-breakpoint
ALTER TABLE "rate_limit" DROP COLUMN "quota";--> statement-breakpoint
ALTER TABLE "rate_limit" DROP COLUMN "wanted";--> statement-breakpoint
ALTER TABLE "rate_limit" DROP COLUMN "portion";--> statement-breakpoint
ALTER TABLE "rate_limit" DROP COLUMN "pressed";