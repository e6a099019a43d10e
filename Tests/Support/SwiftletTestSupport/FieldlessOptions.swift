/// The schema's option tables without fields, by their numbers in `OptionsTable.tag`.
///
/// They contain nothing to read, so only writers name them.
package enum FieldlessOptions: Int, Sendable, CaseIterable {
  case pad = 22, batchToSpaceND = 24, spaceToBatchND = 25, transpose = 26, exp = 33, topKV2 = 34, logSoftmax = 36
  case dequantize = 38, maximumMinimum = 39, less = 41, neg = 42, padV2 = 43, greater = 44, greaterEqual = 45
  case lessEqual = 46, select = 47, slice = 48, tile = 51, expandDims = 52, equal = 53, notEqual = 54, pow = 56
  case logicalOr = 60, logicalAnd = 62, logicalNot = 63, floorDiv = 65, square = 66, zerosLike = 67, fill = 68
  case floorMod = 72, range = 73, squaredDifference = 76, abs = 78, reverseV2 = 81, addN = 82, gatherNd = 83
  case cos = 84, `where` = 85, rank = 86, matrixDiag = 88, quantize = 89, matrixSetDiag = 90, hardSwish = 91
  case nonMaxSuppressionV4 = 95, nonMaxSuppressionV5 = 96, scatterNd = 97, selectV2 = 98, densify = 99
  case segmentSum = 100, broadcastTo = 104, rfft2d = 105, hashtableFind = 108, hashtableImport = 109
  case hashtableSize = 110, readVariable = 112, assignVariable = 113, dynamicUpdateSlice = 117
  case unsortedSegmentProd = 118, unsortedSegmentMax = 119, unsortedSegmentMin = 120, unsortedSegmentSum = 121
  case aTan2 = 122, sign = 123, bitcast = 124, bitwiseXor = 125, rightShift = 126
  // Tables of the second union: their number in it plus `OptionsTable.secondUnionBase`.
  case dilate = 1018, stableHLOShiftLeft = 1022
}

extension WrittenOptions {
  /// Returns the table of a kind without fields.
  package static func fieldless(_ kind: FieldlessOptions) -> WrittenOptions {
    WrittenOptions(rawTag: kind.rawValue, rawFields: [:])
  }
}
