"""The models of Models/: how they are drawn for, trained, exported, described and measured."""
