/// A synthetic English sentence with its topic.
package struct SyntheticSentence: Sendable {
  package let topic: SentenceTopic
  package let text: String

  /// The phrases that can precede and follow any sentence.
  private static let beginnings = [
    "yesterday", "today", "tomorrow", "this morning", "I think", "they say that", "as always", "at last",
    "on Sunday",
  ]
  private static let endings = [
    "again", "with my sister", "I hear", "once more", "they said", "and we waited", "for the first time", "this year",
  ]

  /// Creates the sentence with a number in the sequence of a seed.
  ///
  /// - Parameters:
  ///   - number: The number of the sentence. Each sentence can be created without the previous ones.
  ///   - topic: The topic, or `nil` for a random topic.
  package init(seed: UInt64, number: Int, topic: SentenceTopic? = nil) {
    var generator = SplitMix64(seed: seed, part: UInt64(truncatingIfNeeded: number))
    let drawn = generator.one(of: SentenceTopic.allCases)
    self.topic = topic ?? drawn
    var parts = generator.one(of: self.topic.patterns).map { generator.one(of: $0) }
    if generator.happens(0.4) { parts.insert(generator.one(of: Self.beginnings), at: 0) }
    if generator.happens(0.4) { parts.append(generator.one(of: Self.endings)) }
    let words = parts.joined(separator: " ")
    // Some people write without capitals and periods.
    let isPlain = generator.happens(0.3)
    text =
      isPlain
      ? words.lowercased() : words.prefix(1).uppercased() + words.dropFirst() + generator.one(of: [".", ".", ".", "!"])
  }
}

/// The topic of a sentence. The raw value is the topic's number in labels and models.
package enum SentenceTopic: Int, Sendable, CaseIterable {
  case weather, cooking, travel, sport

  /// The English name.
  package var name: String { "\(self)" }

  /// The sentences of the topic: consecutive parts, with the choices for each.
  ///
  /// Some words belong to several topics, so that no single word determines the topic.
  var patterns: [[[String]]] {
    switch self {
    case .weather:
      [
        [
          [
            "the wind", "a cold wind", "the storm", "the rain", "heavy rain", "the fog", "the snow", "the sun",
            "thunder", "the frost",
          ],
          ["will reach", "is moving over", "lies over", "is leaving", "came late to", "covers", "is expected in"],
          [
            "the north", "the coast", "the valley", "the mountains", "the whole country", "the city", "the island",
            "the fields",
          ],
        ],
        [
          ["it was", "it is", "it will be", "it stays", "it has been"],
          ["cloudy", "sunny", "rainy", "foggy", "freezing", "windy", "hot and dry", "cold and wet", "mild"],
          [
            "all day", "in the morning", "until the evening", "over the hills", "by the sea", "for the season",
            "at night",
          ],
        ],
        [
          ["the temperature", "the pressure of the air", "the humidity"], ["falls", "rises", "drops", "climbs"],
          ["by ten degrees", "below zero", "before the storm", "after sunset", "with the clouds", "in the shade"],
        ],
      ]
    case .cooking:
      [
        [
          ["stir", "chop", "fry", "boil", "peel", "bake", "add", "mix", "slice", "serve"],
          [
            "the onions", "the soup", "the potatoes", "the bread", "the garlic", "the sauce", "the dough", "two eggs",
            "the rice", "the beans",
          ],
          [
            "in a hot pan", "with salt and pepper", "for ten minutes", "until soft", "with butter", "in cold water",
            "over a low flame", "before dinner",
          ],
        ],
        [
          ["the cake", "the stew", "the salad", "the roast", "the pie", "the recipe", "the kitchen"],
          ["needs", "tastes of", "smells of", "is full of", "was missing"],
          [
            "more sugar", "fresh herbs", "lemon and honey", "burnt milk", "olive oil", "cheese", "an hour in the oven",
            "a cup of flour",
          ],
        ],
        [
          ["the cook", "our guest", "the baker", "my grandmother"],
          ["tasted", "burnt", "prepared", "ordered", "seasoned"],
          ["the fish", "a warm breakfast", "the noodles", "the vegetables", "a sweet dessert", "the whole meal"],
        ],
      ]
    case .travel:
      [
        [
          ["the train", "our flight", "the bus", "the ferry", "the ship", "the night train", "the plane", "the taxi"],
          ["leaves from", "arrives at", "stops at", "is delayed at", "came late to", "was leaving"],
          [
            "the station", "the airport", "platform nine", "the harbour", "the border", "the city", "the island",
            "the coast",
          ],
        ],
        [
          ["we booked", "they missed", "I cancelled", "you need", "she found", "he paid for"],
          [
            "a ticket", "two seats", "a hotel room", "the last ferry", "a rental car", "a map", "a visa",
            "the guided tour",
          ],
          [
            "to the capital", "near the museum", "for the holidays", "across the border", "without luggage",
            "by the sea", "for ten days",
          ],
        ],
        [
          ["my passport", "the suitcase", "the luggage", "our guide", "the old backpack"],
          ["was left at", "waits at", "was lost at", "must be shown at", "is missing at"],
          ["the counter", "the hotel", "the gate", "the customs", "the hostel", "the airport"],
        ],
      ]
    case .sport:
      [
        [
          [
            "the team", "the home team", "the goalkeeper", "the runner", "the young player", "the captain",
            "the champion", "the coach",
          ],
          ["won", "lost", "scored in", "trained for", "is leaving", "missed", "leads", "celebrated"],
          [
            "the final", "the match", "the race", "the second half", "the tournament", "the cup", "the league",
            "the last lap",
          ],
        ],
        [
          ["the ball", "the penalty", "the serve", "his kick", "her jump", "a long pass"],
          ["hit", "missed", "crossed", "went over", "flew past"],
          ["the net", "the goal", "the line", "the bar", "the defence", "the referee", "the fans"],
        ],
        [
          ["the score was", "the game ended", "it was", "they finished"],
          ["two to one", "three to nil", "a draw", "a new record", "level"],
          [
            "after extra time", "at half time", "in the stadium", "for the visitors", "before the whistle",
            "in the rain",
          ],
        ],
      ]
    }
  }
}
