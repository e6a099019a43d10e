import CSwiftletReports

/// The styles, scripts and markup that pages are made of. They are files of `CSwiftletReports`, each in its own language.
package enum PageText {
  /// The look that all pages share: colours for light and dark, type, and the parts that pages are made of.
  package static let sharedStyle = text(swiftlet_shared_style())
  /// What scripts of all pages share: making elements, words for quantities, tabs, tables.
  static let sharedScript = text(swiftlet_shared_script())

  /// The markup of pages that are read from top to bottom.
  static let documentBody = text(swiftlet_document_body())

  static let modelStyle = text(swiftlet_model_style())
  static let modelBody = text(swiftlet_model_body())
  /// Needs ``sharedScript`` before it.
  static let modelScript = text(swiftlet_model_script())

  static let measurementStyle = text(swiftlet_measurement_style())
  /// Needs ``sharedScript`` before it.
  static let measurementScript = text(swiftlet_measurement_script())

  static let comparisonStyle = text(swiftlet_comparison_style())
  /// Needs ``sharedScript`` before it.
  static let comparisonScript = text(swiftlet_comparison_script())

  static let differenceStyle = text(swiftlet_difference_style())
  /// Needs ``sharedScript`` before it.
  static let differenceScript = text(swiftlet_difference_script())

  /// Without the line end at the end of a file, as a page puts texts on lines of their own.
  private static func text(_ file: swiftlet_page_text) -> String {
    String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.size).dropLast(), as: UTF8.self)
  }
}
