import Foundation

/// Times as `2027-06-15T12:30:00.123456789Z` or with an offset such as `+02:00` (RFC 3339, section 5.6).
package enum RFC3339 {
  /// `nil` for anything else; fractions of a second have any number of digits, or none.
  package static func date(_ text: String) -> Date? {
    let pattern = /(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})/.asciiOnlyDigits()
    guard let match = text.wholeMatch(of: pattern)?.output,
      let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
      let hour = Int(match.4), let minute = Int(match.5), let second = Int(match.6),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    var offset = 0
    if match.8.count == 6, let hours = Int(match.8.dropFirst().prefix(2)), let minutes = Int(match.8.suffix(2)) {
      guard hours < 24, minutes < 60 else { return nil }
      offset = (hours * 3600 + minutes * 60) * (match.8.hasPrefix("-") ? -1 : 1)
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
    let parts = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute)
    guard let date = calendar.date(from: parts), calendar.component(.day, from: date) == day else { return nil }
    return date.addingTimeInterval(Double(second) + (match.7.flatMap { Double("0" + $0) } ?? 0) - Double(offset))
  }
}
