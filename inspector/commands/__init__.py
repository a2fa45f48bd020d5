"""The commands: what each is asked, what it does, and how it says what it found."""
