package import SwiftletFlatBuffers

/// An operator's option table, not yet interpreted: the operator that owns the fields reads them by field id.
///
/// An absent table or field gives the default. A field whose bytes lie outside the file throws.
package struct OptionsTable: Sendable {
  /// The union tag under which the table was stored; 0 when there is none.
  package var tag: Int

  package static let absent = OptionsTable(tag: 0)
}
