ALTER TABLE campaign ADD COLUMN next_note text;--> statement-breakpoint
ALTER TABLE donation ADD COLUMN next_note text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE event ADD COLUMN next_note text;--> statement-breakpoint
ALTER TABLE webhook_endpoint ADD COLUMN next_note text;--> statement-breakpoint
CREATE INDEX donation_next_note ON donation (next_note);--> statement-breakpoint
CREATE TABLE next_thing (id uuid PRIMARY KEY, campaign_id uuid REFERENCES campaign (id));
