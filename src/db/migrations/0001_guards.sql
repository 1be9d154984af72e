-- The ledger is append-only: the owner too is refused while the triggers stand.
CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only: % on % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER ledger_entry_immutable BEFORE UPDATE OR DELETE ON ledger_entry
  FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER ledger_entry_no_truncate BEFORE TRUNCATE ON ledger_entry
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER ledger_account_immutable BEFORE UPDATE OR DELETE ON ledger_account
  FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER ledger_account_no_truncate BEFORE TRUNCATE ON ledger_account
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
-- A reversal must undo exactly the entry that it names: same asset and amount, sides swapped.
CREATE FUNCTION ledger_reversal_mirrors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM ledger_entry original
    WHERE original.id = NEW.reverses
      AND original.kind <> 'reversal'
      AND original.asset_id = NEW.asset_id
      AND original.amount = NEW.amount
      AND original.debit_account = NEW.credit_account
      AND original.credit_account = NEW.debit_account
  ) THEN
    RAISE EXCEPTION 'entry % is not undone by this reversal', NEW.reverses
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER ledger_entry_reversal BEFORE INSERT ON ledger_entry
  FOR EACH ROW WHEN (NEW.reverses IS NOT NULL) EXECUTE FUNCTION ledger_reversal_mirrors();
--> statement-breakpoint
-- The raised total of a campaign as its ledger says: what the projection must always equal.
CREATE VIEW campaign_ledger_total AS
  SELECT account.campaign_id,
         sum(CASE WHEN entry.credit_account = account.id THEN entry.amount ELSE -entry.amount END) AS raised
  FROM ledger_account account
  JOIN ledger_entry entry ON entry.credit_account = account.id OR entry.debit_account = account.id
  WHERE account.kind IN ('held', 'released')
  GROUP BY account.campaign_id;
--> statement-breakpoint
-- A seal is as final as the entries under it.
CREATE TRIGGER ledger_seal_immutable BEFORE UPDATE OR DELETE ON ledger_seal
  FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER ledger_seal_no_truncate BEFORE TRUNCATE ON ledger_seal
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER sealed_entry_immutable BEFORE UPDATE OR DELETE ON sealed_entry
  FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER sealed_entry_no_truncate BEFORE TRUNCATE ON sealed_entry
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER seal_key_immutable BEFORE UPDATE OR DELETE ON seal_key
  FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER seal_key_no_truncate BEFORE TRUNCATE ON seal_key
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
