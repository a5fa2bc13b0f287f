"""The bar above the views: parent maps, zooming in, pinning."""
