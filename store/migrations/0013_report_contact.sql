-- How to reach whoever a report is by.

-- +goose Up
ALTER TABLE report_versions ADD COLUMN contact TEXT NOT NULL DEFAULT '';
