package import SwiftletJSON

/// All metrics of a sequence, or of several sequences together.
package struct TrackingScore: Sendable, Hashable {
  package var clear: ClearScore
  package var identity: IdentityScore
  package var hota: HOTAScore
  package var product: ProductScore

  private init(clear: ClearScore, identity: IdentityScore, hota: HOTAScore, product: ProductScore) {
    self.clear = clear
    self.identity = identity
    self.hota = hota
    self.product = product
  }

  /// Computes the score.
  ///
  /// - Parameters:
  ///   - truth: The ground-truth boxes of each frame.
  ///   - output: The boxes of a tracker, for the same number of frames.
  ///   - times: The times of the frames, in seconds.
  /// - Throws: `EvaluationError` if the numbers of frames differ, an identity occurs twice in a frame, or there are too
  ///   many identities.
  package init(truth: [[IdentifiedBox]], output: [[IdentifiedBox]], times: [Double]) throws(EvaluationError) {
    guard times.count == truth.count else {
      throw EvaluationError("\(truth.count) frames have \(times.count) times; each must have one")
    }
    let data = try FrameOverlaps(truth: truth, output: output)
    let (clear, matches) = ClearScore.evaluate(data)
    self.init(
      clear: clear, identity: IdentityScore(data), hota: HOTAScore(data),
      product: ProductScore(data, clear: clear, matches: matches, truth: truth, output: output, times: times))
  }

  /// Returns the score of the boxes of all sequences together, as opposed to the mean of their scores.
  package static func combined(_ scores: some Sequence<TrackingScore>) -> TrackingScore {
    let none = TrackingScore(clear: ClearScore(), identity: IdentityScore(), hota: HOTAScore(), product: ProductScore())
    return scores.reduce(none) { sum, score in
      TrackingScore(
        clear: sum.clear + score.clear, identity: sum.identity + score.identity, hota: sum.hota + score.hota,
        product: sum.product + score.product)
    }
  }

  /// All metrics under their usual names.
  package var json: JSONValue {
    .object([
      "MOTA": .double(clear.mota), "MOTP": .double(clear.motp), "MODA": .double(clear.moda),
      "CLR_Re": .double(clear.recall),
      "CLR_Pr": .double(clear.precision), "CLR_TP": .int(clear.truePositives), "CLR_FN": .int(clear.falseNegatives),
      "CLR_FP": .int(clear.falsePositives), "IDSW": .int(clear.identitySwitches), "Frag": .int(clear.fragments),
      "MT": .int(clear.mostlyTracked), "PT": .int(clear.partlyTracked), "ML": .int(clear.mostlyLost),
      "IDF1": .double(identity.f1),
      "IDP": .double(identity.precision), "IDR": .double(identity.recall), "IDTP": .int(identity.truePositives),
      "IDFN": .int(identity.falseNegatives), "IDFP": .int(identity.falsePositives), "HOTA": .double(hota.hota),
      "DetA": .double(hota.detA),
      "AssA": .double(hota.assA), "DetRe": .double(hota.detRe), "DetPr": .double(hota.detPr),
      "AssRe": .double(hota.assRe),
      "AssPr": .double(hota.assPr), "LocA": .double(hota.locA),
      "switches_per_minute": .double(product.switchesPerMinute),
      "fragments_per_object": .double(product.fragmentsPerObject),
      "seconds_to_first_box": .optional(product.timeToFirstBox),
      "jitter_px": .optional(product.jitter),
    ])
  }
}
