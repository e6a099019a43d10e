// Resizing of images.

package enum ResizeBilinearOptions: OptionSchema {
  package static var tag: Int { 15 }
  package static var newHeight: OptionField<Int> { .unused(0, "new_height") }
  package static var newWidth: OptionField<Int> { .unused(1, "new_width") }
  package static var alignCorners: OptionField<Bool> { .bool(2, "align_corners") }
  package static var halfPixelCenters: OptionField<Bool> { .bool(3, "half_pixel_centers") }
  package static var fields: [OptionDefinition] {
    [newHeight.definition, newWidth.definition, alignCorners.definition, halfPixelCenters.definition]
  }
}

package enum ResizeNearestNeighborOptions: OptionSchema {
  package static var tag: Int { 74 }
  package static var alignCorners: OptionField<Bool> { .bool(0, "align_corners") }
  package static var halfPixelCenters: OptionField<Bool> { .bool(1, "half_pixel_centers") }
  package static var fields: [OptionDefinition] { [alignCorners.definition, halfPixelCenters.definition] }
}
