"""The models of Models/: training data, training, export, descriptions, and evaluation."""
