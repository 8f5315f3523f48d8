"""What the product said before the house was rebuilt; it goes when that is done."""
