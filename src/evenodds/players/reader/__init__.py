"""The opponent that models a person's habits and plays against them."""
